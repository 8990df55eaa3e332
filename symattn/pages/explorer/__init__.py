"""What a reader can point at and change on a page of HTML."""
