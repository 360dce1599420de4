"""Known bots: the names that their user agents have, who operates them, and what they ask for pages for.

From what the operators themselves publish about their bots, as it was on 2026-10-28: among others
https://developers.openai.com/api/docs/bots, https://support.claude.com/en/articles/8896518,
https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers,
https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0, https://support.apple.com/en-us/119829,
https://developer.amazon.com/amazonbot, https://developers.facebook.com/docs/sharing/webmasters/web-crawlers,
https://docs.perplexity.ai/guides/bots, https://docs.mistral.ai/robots, https://commoncrawl.org/ccbot,
https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot, https://yandex.com/support/webmaster/robot-workings.
Bots that serve several purposes have the one that their operators name first.
"""

# A line has the operator, the purpose and the bots. A bot whose user agent has another word for it has this behind "=".
TABLE = """
OpenAI; training; GPTBot
OpenAI; search; OAI-SearchBot
OpenAI; answer; ChatGPT-User
OpenAI; other; OAI-AdsBot
Anthropic; training; ClaudeBot, anthropic-ai
Anthropic; search; Claude-SearchBot
Anthropic; answer; Claude-User, Claude-Web
Perplexity; search; PerplexityBot
Perplexity; answer; Perplexity-User, PerplexityUser
Google; search; Googlebot, Googlebot-Image, Googlebot-News, Googlebot-Video, Googlebot-Mobile, Storebot-Google
Google; search; Google-InspectionTool
Google; training; Google-CloudVertexBot, Google-Extended
Google; answer; Gemini-Deep-Research, Google-NotebookLM, Google-GeminiNotebook, Google-Agent, GoogleAgent-Mariner
Google; answer; Google-Read-Aloud
Google; other; GoogleOther, GoogleOther-Image, GoogleOther-Video, AdsBot-Google, AdsBot-Google-Mobile
Google; other; Mediapartners-Google, APIs-Google, FeedFetcher-Google, Google-Site-Verification, GoogleProducer
Google; other; Google-Safety, DuplexWeb-Google
Google; preview; GoogleImageProxy, Google Web Preview
Google; monitoring; GoogleStackdriverMonitoring, Chrome-Lighthouse
Microsoft; search; bingbot, msnbot
Microsoft; answer; AzureAI-SearchBot
Microsoft; preview; BingPreview, MicrosoftPreview, SkypeUriPreview
Microsoft; other; adidxbot
Microsoft; monitoring; AppInsights
Apple; search; Applebot, Applebot-Extended
Apple; preview; iMessage=facebookexternalhit/1.1 Facebot Twitterbot
Amazon; training; Amazonbot
Amazon; search; Amzn-SearchBot
Amazon; answer; AmazonBuyForMe
Amazon; other; bedrockbot, AmazonAdBot
Meta; training; meta-externalagent, FacebookBot
Meta; search; meta-webindexer
Meta; answer; meta-externalfetcher
Meta; preview; facebookexternalhit, facebookcatalog, WhatsApp
Meta; other; meta-externalads
DuckDuckGo; search; DuckDuckBot, DuckDuckGo-Favicons-Bot
DuckDuckGo; answer; DuckAssistBot
Mistral; search; MistralAI-Index
Mistral; answer; MistralAI-User
ByteDance; training; Bytespider, TikTokSpider
Common Crawl; training; CCBot
Cohere; training; cohere-training-data-crawler
Cohere; answer; cohere-ai
Allen Institute for AI; training; AI2Bot
DeepSeek; training; DeepSeekBot
Moonshot AI; answer; Kimi-User
Alibaba; answer; TongyiBot
Alibaba; search; YisouSpider
Zhipu AI; training; ChatGLM-Spider
Huawei; training; PanguBot
Huawei; search; PetalBot, AspiegelBot
You.com; search; YouBot
Brave; search; Bravebot
Kagi; search; Kagibot
Kagi; answer; kagi-fetcher
Exa; search; ExaBot, ExaSearchBot
Tavily; search; TavilyBot
Linkup; search; LinkupBot
Liner; answer; LinerBot
Phind; answer; PhindBot
iAsk; answer; iAskBot, iaskspider
Andi; search; Andibot
Manus; answer; Manus-User
Cognition; answer; Devin
Firecrawl; other; FirecrawlAgent
Diffbot; other; Diffbot
Webz.io; other; omgili, omgilibot, webzio-extended
Timpi; search; Timpibot
ImageSift; other; ImagesiftBot
LAION; training; img2dataset, laion-huggingface-processor
Yandex; search; YandexBot, YandexImages, YandexVideo, YandexMedia, YandexBlogs, YandexNews, YandexMobileBot
Yandex; search; YandexRenderResourcesBot, YandexFavicons
Yandex; training; YandexAdditional, YandexAdditionalBot
Yandex; other; YandexMetrika, YandexDirect, YandexAccessibilityBot
Baidu; search; Baiduspider
Baidu; answer; YiyanBot
Sogou; search; Sogou web spider, Sogou inst spider, Sogou Pic Spider
Qihoo 360; search; 360Spider
Naver; search; Yeti
Kakao; search; Daum, daumoa
Seznam; search; SeznamBot
Qwant; search; Qwantbot, Qwantify
Mojeek; search; MojeekBot
Coc Coc; search; coccocbot-web, coccocbot-image
Mail.ru; search; Mail.RU_Bot
Yahoo; search; Slurp
SISTRIX; search; Seekport
Internet Archive; other; archive.org_bot, ia_archiver
Slack; preview; Slackbot, Slackbot-LinkExpanding, Slack-ImgProxy
X; preview; Twitterbot
LinkedIn; preview; LinkedInBot
Discord; preview; Discordbot
Telegram; preview; TelegramBot
Pinterest; preview; Pinterestbot, Pinterest=Pinterest/
Reddit; preview; redditbot
Snap; preview; Snap URL Preview Service
Bluesky; preview; Bluesky
Mastodon; preview; Mastodon
VK; preview; vkShare
Embedly; preview; Embedly
Iframely; preview; Iframely
Flipboard; preview; FlipboardProxy
UptimeRobot; monitoring; UptimeRobot
Pingdom; monitoring; Pingdom
Better Stack; monitoring; Better Uptime Bot, BetterUptimeBot
StatusCake; monitoring; StatusCake
Site24x7; monitoring; Site24x7
Datadog; monitoring; DatadogSynthetics, Datadog Agent
New Relic; monitoring; NewRelicSynthetics
Checkly; monitoring; Checkly
Sentry; monitoring; SentryUptimeBot
Uptime Kuma; monitoring; Uptime-Kuma
Oh Dear; monitoring; OhDear
updown.io; monitoring; updown.io
HetrixTools; monitoring; HetrixTools
NodePing; monitoring; NodePing
Freshworks; monitoring; FreshpingBot
Dynatrace; monitoring; RuxitSynthetic
Cloudflare; monitoring; Cloudflare-Healthchecks, Cloudflare-Traffic-Manager
Cloudflare; search; Cloudflare-AutoRAG
GTmetrix; monitoring; GTmetrix
Ahrefs; other; AhrefsBot, AhrefsSiteAudit
Semrush; other; SemrushBot, SiteAuditBot
Majestic; other; MJ12bot
Moz; other; DotBot, rogerbot
DataForSEO; other; DataForSeoBot
SISTRIX; other; SISTRIX Crawler
Screaming Frog; other; Screaming Frog SEO Spider
Serpstat; other; serpstatbot
BLEXBot; other; BLEXBot
Babbar; other; Barkrowler
Criteo; other; CriteoBot
Feedly; other; Feedly
Inoreader; other; inoreader
NewsBlur; other; NewsBlur
"""
