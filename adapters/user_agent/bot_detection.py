"""Bots: how a program without a reader is told from a browser by its user agent."""

import re
from collections.abc import Iterable, Sequence

from crawleruseragents import CRAWLER_USER_AGENTS_DATA
from ua_parser_rs import UserAgentExtractor

# Patterns of the public list that are also names of phones, of a build of Android, of apps that people use.
# Other marks of these crawlers (a word such as "spider", an address) still identify them.
TOO_BROAD = frozenset(
    {
        "008\\/",
        "AP3A\\.240617\\.008",
        "Blackboard",
        "Butterfly",
        "Code\\/1\\.",
        "Expanse",
        "Fever",
        "Fluid",
        "Podimo",
        "Sogou",
        "Sonic",
        "Viber",
    }
)

# Parts of user agents that people send and that sound like a crawler. They are left out before a user agent is judged,
# so that what remains of it decides: a crawler that names one of these apps as well is still recognised.
APPS = (
    # The in-app browsers of Facebook, Instagram, Threads and Messenger, with the telephone's name and its network.
    r"\bMetaIAB \w+|\[FB[^\]]*\]?|\bFB(?:AN|AV|_IAB)/[\w.]+",
    r"\b(?:Instagram|Barcelona) [\d.]+ Android \([^)]*\)?",
    # Apps whose names have the words of scanners, crawlers and agents, and a browser named after a search engine.
    r"\bCamScanner/[\d.]+|\bTrae/[\d.]+|\bFreespoke/[\d.]+$",
    r"\b(?:coc_coc_browser|coccocbrowser)(?:/[\d.]+)?|(?<=\d)coccoc\b",
    # Components that show pages inside Alexa, in Android apps built with Mozilla's components, and in iOS.
    r"\bAmzn-User/[\d.]+|^MozacFetch/[\d.]+|^(?:NetworkingExtension|com\.apple\.[\w.]+)/[\d.]+|\bgoogle_ios/",
    # The name of a telephone: "GLX Spider", "M BOT 551", "XBot_Senior", "CUBOT_P20".
    r"\bAndroid [\d.]+; [\w .+-]+(?: Build/[\w.+-]+)?(?:; wv)?\)",
    # A component of Internet Explorer that programs were built with.
    r"Embedded Web Browser from: http://bsalsa\.com/",
)

# Words that identify crawlers which the public list does not name. The dialect is that of Rust's regex crate: no
# look-around, and a time linear in the length of any text.
TELLTALES = (
    # It says that it is a robot. CUBOT and "M_bot_tab" are telephones.
    r"(?i)(?:^|[^u\s_])bot(?:[^a-z0-9 ]|s\b|$)",
    r"(?i) bot(?:[/;).,]|s\b|$)",
    r"(?i)b[ _]o[ _]t\b|\bcrwlr\b",
    r"(?i)robot|crawl|slurp|scrap(?:er|y|ing)|spider(?:[^ ]|$)|archiv(?:er|ing|e\.org)",
    # The user agent names its task.
    r"(?i)(?:fetch|probe?|scan|monitor)(?:er|ing|s|n(?:er|ing))?(?:[/. ;)]|$)",
    r"(?i)check(?:er|ing|_http)|(?:domain|health|https?|link|safe|site|spot|url|web|ht://)[ -]?check",
    r"(?i)(?:link|url|uri|page|web|site)[ -]?(?:preview|test|examin)|preview(?:er)?/\d\.",
    r"(?i)(?:analy[sz]|index|grab|harvest|sniff|extract|validat|detect|inspect|verifi|resolv)(?:er|or|ing)\b",
    r"(?i)search ?(?:agent|bot|engine)|(?:local|snap)search\b",
    r"(?i)thumb(?:nail|shot|or/)|webthumb|screen(?:[ -]?shot|ie)|(?:html|page|rails|web)[-_ ]?capture|websnap",
    r"(?i)download(?:er|s|ing)?/|downloader|\b[a-z]+getter/|prefetch|prerender|transcoder|retriever",
    r"(?i)(?:image|link|mail|web)[ -]?proxy|\bproxy\)",
    r"(?i)(?:audit|measurement|prospect|research|survey)(?:/| scan|[a-z]+/\d|;|\)|$)",
    r"(?i)(?:diagnostics|observatory|reconn?)(?:/|;|\)|$)",
    r"(?i)[a-z]agent(?:[/ ]\d|$)|\bwebmon\b|prospecting\w*/\d",
    r"(?i)\blink ?(?:commander|extend|expand)|backlink|webmaster\b|\btime/\d{13}",
    # It is a browser without a window, or what drives one.
    r"(?i)headless|phantom(?:js|as)|selenium|webdriver|puppeteer|playwright|cypress/|splash version|zombie\.js",
    r"(?i)lighthouse|page ?speed|pageburst|synthetic|wkhtmlto|webkit2png|functionize|\bwpif\b|ghost ?inspector",
    # It is the HTTP library of a programming language, or of a system.
    r"(?i)\b(?:lib)?curl|wget|http[-_. ]?client|libwww-perl|\blwp\b|python|aiohttp|httpx|urllib|requests/\d",
    r"(?i)(?:^|[ (])java/\d|\b(?:php|perl|ruby|node(?:\.js)?|go|rust|dart|deno|bun|kubectl|docker|gradle|emacs)/v?\d",
    r"(?i)okhttp|axios|undici|guzzle|reqwest|fasthttp|http_request|postman|insomnia/|web ?services client|webdav",
    r"(?i)winhttp|wininet|\(node\.js|microsoft (?:url control|data access|windows network|log parser)|azure-logic",
    r"(?i)cryptoapi",
    # It is an office program or an app of feeds or mail that looks up a link.
    r"^Microsoft Office [A-Z]\w+(?: \d{4}| Discovery)",
    r"\bMacintosh; Intel Mac OS X\) (?:Word|Excel|PowerPoint)/",
    r"(?i)^(?:airmail|canary%20mail|fiery%20feeds|mail/\d|reeder|readkit|newsblur|swcd)",
    r"(?i)^(?:ddg[-_]android|duckduckgo/\d|downcast|podcastaddict|[a-z]+tester/\d)",
    r"(?i)feed(?:able|ly|bin|er\b|burner|demon|dler|reader|parser|s?pot)|rss[/ ;)]|\brss|subscribers|syndication",
    # It is a programmer's tool or an editor whose assistant opens pages.
    r"(?i)devtools\b|\b(?:antigravity|cursor|kiro|windsurf)/[\d.]+ (?:chrome/|\()",
    # It leaves an address to complain to. Ecosia's browsers write "android@111.0": no digit after the @.
    r"(?i)https?://|\bwww\.|[a-z0-9]@[a-z][a-z0-9-]*\.[a-z]| at [a-z]+(?: dot |\.)[a-z]+",
    r"^(?:GET|HEAD|POST) /|^\w+\|Mozilla/",
    # It has a name and nothing else, or is a text that no program would call itself.
    r"^[A-Za-z_. -]+$|^\d+$|^[A-Za-z0-9+/=]{60,}$|^Anonymous\b|geckoversion|firefoxversion|\(\) \{|\$\{",
)

# Services that dress up as a browser and that the public list lacks: watchers, scanners, tests of speed.
NAMES = (
    r"(?i)assetnote|catchpoint|claude-web|convertify|criteo\)|dareboost|datadog|datanyze|dataxu|debugbear|dejaclick",
    r"(?i)dmbrowser|firephp|gtmetrix|iplabel|kimonolabs|mapper ?cmd|mixnode|neustar wpm|newrelic|nodemeter|pingdom",
    r"(?i)ptst[/ ]|\brigor\b|rival iq|\bsiege/|site24x7|sparkler|statuscake|stumbleupon|uptime|whatcms|webster pro",
    r"(?i)^apache-maven|^clamav|classifier/|\basynchttpget|webmoney advisor|\dmqqbrowser/",
    r"(?i)whorunscoinhive|burpcollaborator|yandex\.translate|bing ?localsearch|googleweblight|-google[/;) ]",
    r"(?i)\bgoogle(?:[-_][a-su-z]|[ _](?:favicon|keyword|page|partner|pp|search console|web preview))",
    r"(?i)\bgoogle(?:ads\b|adsense|adwords|messages/|prober)",
)

# A browser or an app names its system, or the engine that it is built on; a bare HTTP client names neither.
PLATFORMS = (
    r"(?i)android|linux|x11|windows|winnt|\bwin(?:7|8|10|9[58]|32|64)\b|xbox|cros\b|mac ?os|macintosh|mac_powerpc",
    r"(?i)os=mac|darwin|iphone|ipad|ipod|\biph\d|\bios\b|apple ?tv|watchos|bsd\b|sunos|solaris|haiku|beos|amiga",
    r"(?i)morphos|\bos/2\b|openvms|syllable|inferno|risc ?os|hp-ux|irix|harmony|qnx|webos|web0s|tizen|kaios",
    r"(?i)sailfish|maemo|meego|bada\b|blackberry|bb10|playbook|symbian|series ?[46]0|\bs60|nokia|midp|cldc|j2me",
    r"(?i)up\.browser|up\.link|brew\b|palm|maui|docomo|kddi|softbank|vodafone|\bp\d{3}i\b|kindle|nook\b|samsung",
    r"(?i)sonyericsson|openwave|netfront|teleca|obigo|ucweb|wap|playstation|\bps[345p]|nintendo|\bwii|dreamcast",
    r"(?i)segasaturn|aplix|roku|smart-?tv|hbbtv|kreatv|netcast|vizio|crkey|viera",
    r"(?i)\b(?:mot|lg|sam|sec|sie|zte|htc|huawei|alcatel|sharp|sanyo|philips|lenovo|pantech|kyocera|micromax)[-_/]",
    r"(?i)serenityos|\bfban/|jig browser|^(?:midori|omniweb) ",
    r"(?i)webkit|gecko/|presto|trident|msie|khtml|chrome/\d|firefox/\d|opera[ /]|ms-office|microsoft office/\d",
    r"(?i)^(?:lynx|e?links|w3m|ibrowse|mozacfetch|amaya|dillo|netsurf|vms_mosaic|ncsa_mosaic|googleapp)\b|amiga|voyager",
)


class Crawlers:
    """Tells crawlers by their user agent: it is listed, has a telltale word, or is not that of a browser."""

    def __init__(self, listed: Iterable[str] | None = None) -> None:
        """Prepare the patterns; `listed` stands in for the public list of crawlers."""
        patterns = _public_list() if listed is None else listed
        self._crawlers = _Patterns([*patterns, *TELLTALES, *NAMES])
        self._platforms = _Patterns(PLATFORMS)
        self._apps = re.compile("|".join(APPS))

    def recognise(self, user_agent: str) -> bool:
        """Whether the user agent is that of a crawler, an HTTP library or a browser without a window."""
        return self._suspicious(user_agent) or not self._platforms.match(user_agent)

    def _suspicious(self, user_agent: str) -> bool:
        # Most user agents match nothing, and leaving parts out takes as long as matching.
        return self._crawlers.match(user_agent) and self._crawlers.match(self._apps.sub("", user_agent))


class _Patterns:
    """Many patterns matched at once: a text is compared only with those whose literal parts occur in it."""

    def __init__(self, patterns: Sequence[str]) -> None:
        linear = [pattern for pattern in patterns if _linear(pattern)]
        self._linear = UserAgentExtractor((pattern, "match", None, None, None, None) for pattern in linear)
        self._other = [re.compile(pattern) for pattern in patterns if pattern not in linear]

    def match(self, text: str) -> bool:
        return self._linear.extract(text) is not None or any(pattern.search(text) for pattern in self._other)


def _public_list() -> list[str]:
    listed = (entry["pattern"] for entry in CRAWLER_USER_AGENTS_DATA)
    return [pattern for pattern in listed if pattern not in TOO_BROAD]


def _linear(pattern: str) -> bool:
    """Whether the linear-time engine takes the pattern: it knows no look-around and no back-reference."""
    try:
        UserAgentExtractor([(pattern, "match", None, None, None, None)])
    except ValueError:
        return False
    return True
