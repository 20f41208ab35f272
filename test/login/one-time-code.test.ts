import { afterEach, expect, test, vi } from 'vitest'
import { oneTimeCode } from '../../src/login/totp.ts'
import { useFolders } from '../host/use-folder.ts'

const makeFolder = useFolders()
afterEach(() => void vi.useRealTimers())

/** Of RFC 6238, appendix B. */
const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })

test.each([
  ['in base32', 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq', '050471'],
  ['as an address', `otpauth://totp/shop?secret=${seed}&digits=8`, '14050471'],
])('a code is that of the RFC: %s', async (_, secret, code) => {
  at(1_111_111_111)
  expect(await oneTimeCode(secret, makeFolder().path)).toBe(code)
})

test('a code that was used in the run, or is about to end, is waited past', async () => {
  const { path } = makeFolder()
  at(1_111_111_111)
  expect(await oneTimeCode(seed, path)).toBe('050471')
  const late = new AbortController()
  const second = oneTimeCode(seed, path, late.signal)
  expect(await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])).toBe('waits')
  late.abort()
  await expect(second).rejects.toThrow(/abort/i)
  at(1_111_111_138.5)
  const next = oneTimeCode(seed, path)
  setTimeout(() => at(1_111_111_140), 100)
  expect(await next).not.toBe('050471')
})
