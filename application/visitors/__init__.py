"""The data of single visitors: given to them, and erased (docs/visitor-data.md)."""
