import { describe, expect, test } from 'vitest'
import { orRelease, Releases } from '../../../src/host/agent-run/releases.ts'

function noted(releases: Releases, ...names: readonly string[]): readonly string[] {
  const released: string[] = []
  for (const name of names) {
    releases.add(() => {
      released.push(name)
      if (name.startsWith('bad')) throw new RangeError(name)
    })
  }
  return released
}

describe('what was made for an agent', () => {
  test('is released the other way round, once', () => {
    const releases = new Releases()
    const released = noted(releases, 'folder', 'browser', 'token')
    releases.releaseAll()
    releases.releaseAll()
    expect(released).toEqual(['token', 'browser', 'folder'])
  })

  test('is all released, whatever fails on the way', () => {
    const releases = new Releases()
    const released = noted(releases, 'folder', 'bad one', 'token', 'bad two')
    expect(() => releases.releaseAll()).toThrow(RangeError)
    expect(released).toEqual(['bad two', 'token', 'bad one', 'folder'])
  })

  test('may add to itself while it is released', () => {
    const releases = new Releases()
    const order: string[] = []
    releases.add(() => void order.push('first'))
    releases.add(() => releases.add(() => void order.push('late')))
    releases.releaseAll()
    expect(order).toEqual(['late', 'first'])
  })
})

describe('work that makes things', () => {
  test('keeps them where it succeeds', async () => {
    let released: readonly string[] = []
    const result = await orRelease(async (releases) => {
      released = noted(releases, 'folder')
      return 'made'
    })
    expect([result, released]).toEqual(['made', []])
  })

  test.each([[['folder', 'token']], [['folder', 'bad one']]])(
    'releases %j where it fails, with its own error',
    async (names) => {
      let released: readonly string[] = []
      const work = orRelease(async (releases) => {
        released = noted(releases, ...names)
        throw new TypeError('The work failed.')
      })
      await expect(work).rejects.toThrow(new TypeError('The work failed.'))
      expect(released).toEqual(names.toReversed())
    },
  )
})
