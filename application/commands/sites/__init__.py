"""Commands about sites and what belongs to each: links, secrets, rules, segments, recipients, annotations."""
