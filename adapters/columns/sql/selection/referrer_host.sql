-- referrer_host
-- As domain/tracking/referrer.py has it.
coalesce(
    nullif(
        regexp_replace(
            translate(
                split_part(
                    split_part(
                        split_part(
                            case when strpos({text}, '://') > 0 then split_part({text}, '://', 2) else {text} end,
                            '/', 1
                        ),
                        '?', 1
                    ),
                    '#', 1
                ),
                'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'
            ),
            '^www[.]', ''
        ),
        ''
    ),
    {text}
)
