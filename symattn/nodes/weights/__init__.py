"""How a row of logits becomes weights otherwise than by plain softmax."""
