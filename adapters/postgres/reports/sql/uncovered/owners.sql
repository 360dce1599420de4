-- owners
, {breakdowns/owners}
