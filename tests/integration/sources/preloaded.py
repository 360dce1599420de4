"""What each import that is killed would build anew: made once, in the process that they are forked from."""

from footfall.adapters.user_agent import UaParserUserAgents

AGENTS = UaParserUserAgents()
