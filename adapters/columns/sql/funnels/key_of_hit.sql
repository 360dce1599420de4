-- key_of_hit
epoch_us(occurred_at)::hugeint * 9223372036854775808 + position
