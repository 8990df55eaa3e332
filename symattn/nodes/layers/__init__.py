"""What a layer has beside its attention: norms, networks, embeddings, losses."""
