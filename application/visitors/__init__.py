"""The data of single visitors: given to them, and erased (docs/read/visitor-data.md)."""
