"""User agents: browser and system by ua-parser's rules, crawlers by a public list and by telltale words."""

from footfall.adapters.user_agent.parser import UaParserUserAgents

__all__ = ["UaParserUserAgents"]
