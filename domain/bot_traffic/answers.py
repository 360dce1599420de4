"""AI services that send visitors: by the hosts and campaign sources of visits in the channel AI.

See docs/track/bots.md.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from attrs import frozen

from footfall.domain.tracking.acquisition.campaign import medium_words

# A line has the operator, as the table of known bots names it, the service, and its words. A word with a dot is a host,
# which stands for its sub-domains, too; another one is what people write into `utm_source`.
TABLE = """
OpenAI; ChatGPT; chatgpt.com openai.com com.openai.chatgpt chatgpt openai gpt
Anthropic; Claude; claude.ai anthropic.com com.anthropic.claude claude anthropic
Google; Gemini; gemini.google.com bard.google.com aistudio.google.com com.google.android.apps.bard gemini bard
Google; NotebookLM; notebooklm.google.com notebooklm.google notebooklm
Microsoft; Copilot; copilot.microsoft.com copilot.com m365.cloud.microsoft copilot.cloud.microsoft edgeservices.bing.com
Microsoft; Copilot; com.microsoft.copilot copilot
Perplexity; Perplexity; perplexity.ai pplx.ai ai.perplexity.app.android perplexity pplx
Meta; Meta AI; meta.ai metaai meta_ai
Mistral; Le Chat; mistral.ai mistral lechat
DeepSeek; DeepSeek; deepseek.com com.deepseek.chat deepseek
xAI; Grok; grok.com x.ai ai.x.grok grok
DuckDuckGo; Duck.ai; duck.ai
You.com; You.com; you.com
Phind; Phind; phind.com phind
Moonshot AI; Kimi; kimi.com moonshot.cn moonshot.ai kimi
ByteDance; Doubao; doubao.com cici.com doubao
Alibaba; Qwen; qwen.ai qwenlm.ai tongyi.com tongyi.aliyun.com qwen
Baidu; Ernie; yiyan.baidu.com ernie.baidu.com chat.baidu.com
Zhipu AI; Z.ai; chatglm.cn z.ai zhipuai.cn
Yandex; Alice; alice.yandex.ru
Amazon; Nova; nova.amazon.com
Cohere; Coral; coral.cohere.com
Liner; Liner; liner.com
iAsk; iAsk; iask.ai
Andi; Andi; andisearch.com
Manus; Manus; manus.im
Poe; Poe; poe.com poe
"""


@frozen(order=True)
class AnswerService:
    """A service whose answers send visitors, and its operator; both are empty of those that the table does not have."""

    operator: str = ""
    name: str = ""


OTHER_SERVICES = AnswerService()


def _read(table: str) -> Iterator[tuple[str, AnswerService]]:
    for line in table.strip().splitlines():
        operator, name, words = line.split("; ")
        for word in words.split():
            yield word, AnswerService(operator, name)


SERVICES: Mapping[str, AnswerService] = MappingProxyType(dict(_read(TABLE)))


def answer_service(referrer_host: str, utm_source: str) -> AnswerService:
    """Return the service of a visit in the channel AI: that of its campaign source, else that of its referrer."""
    source = utm_source.strip().lower()
    for text in (
        source,
        source.rpartition("://")[2].partition("/")[0],
        *medium_words(source)[:1],
        referrer_host,
    ):
        if service := _named(text):
            return service
    return OTHER_SERVICES


def visits_by_service(sources: Iterable[tuple[str, str, int]]) -> Mapping[AnswerService, int]:
    """Return the visits of each service, from those of each host of a referrer and campaign source."""
    visits: dict[AnswerService, int] = {}
    for referrer_host, utm_source, number in sources:
        service = answer_service(referrer_host, utm_source)
        visits[service] = visits.get(service, 0) + number
    return visits


def _named(text: str) -> AnswerService | None:
    """Return the service of a word, or of a host or the domain that it belongs to."""
    while text:
        if service := SERVICES.get(text):
            return service
        text = text.partition(".")[2]
    return None
