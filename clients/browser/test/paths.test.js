/** Patterns of paths: `tests/unit/tracking/test_patterns_of_the_script.py` asks the service about the same cases. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { matcher } from '../src/paths.js';

const CASES = JSON.parse(await readFile(new URL('patterns.json', import.meta.url), 'utf8'));

for (const [pattern, path, matches] of CASES.filter(([pattern]) => !pattern.includes('|'))) {
  test(`${pattern} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(path)}`, () => {
    assert.equal(matcher(pattern)(path) !== undefined, matches);
  });
}

test('of several patterns the first one that matches is told, in its decoded spelling', () => {
  const match = matcher(' /caf%C3%A9/* | /user/*|/user/7||');

  assert.deepEqual(['/user/7', '/café/x', '/', undefined].map(match), ['/user/*', '/café/*', undefined, undefined]);
});

test('without a pattern nothing matches', () => {
  assert.deepEqual([undefined, '', '|'].map((patterns) => matcher(patterns)('/')), [undefined, undefined, undefined]);
});
