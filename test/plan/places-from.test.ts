import { expect, test } from 'vitest'
import { dialectOf, placesFrom } from '../../src/plan/dialect-of.ts'

test.each([
  ['/shop', []],
  ['/shop/openspec', ['specs/**/spec.md', 'changes/*/specs/**/spec.md']],
  ['/shop/openspec/specs', ['**/spec.md', '{0,1,2,3,4,5,6,7,8,9}*-*/spec.md']],
  ['/shop/openspec/specs/cart/pay', ['**/spec.md']],
  ['/shop/openspec/changes', ['*/specs/**/spec.md']],
  ['/shop/openspec/changes/x', ['specs/**/spec.md']],
  ['/shop/specs', ['{0,1,2,3,4,5,6,7,8,9}*-*/spec.md']],
  ['/shop/specs/001-cart', ['spec.md']],
  ['/shop/specs/cart', []],
])('places as seen from %s', (folder, within) => {
  const known = placesFrom('/shop')
  expect(placesFrom(folder).filter((glob) => !known.includes(glob))).toEqual(within)
})

test('a root within a place leaves files their dialect', () => {
  const root = '/shop/openspec/specs'
  expect(dialectOf(`${root}/cart/spec.md`, { root, dialects: {} })).toBe('openspec')
  expect(dialectOf(`${root}/cart/design.md`, { root, dialects: {} })).toBeUndefined()
  expect(dialectOf('/shop/docs/spec.md', { root: '/shop/docs', dialects: {} })).toBeUndefined()
})
