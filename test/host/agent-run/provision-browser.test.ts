import { expect, test } from 'vitest'
import { browserUnavailable } from '../../../src/host/agent-run/provision-browser.ts'
import { MdtestError, type MdtestErrorCode } from '../../../src/system/mdtest-error.ts'

test('what an agent lacks has a code of its own, without secrets; what is no such error goes on', () => {
  const codeOf = (code: MdtestErrorCode): string => browserUnavailable(new MdtestError(code, 'm'), (text) => text).code
  expect(codeOf('AGENT_LOGIN_FAILED')).toBe('LOGIN_FAILED')
  expect(codeOf('AGENT_MODEL_UNAVAILABLE')).toBe('MODEL_UNAVAILABLE')
  expect(codeOf('AGENT_AUTH')).toBe('AGENT_AUTH')
  expect(codeOf('AGENT_PEER_MISSING')).toBe('AGENT_NOT_FOUND')
  const told = browserUnavailable(new MdtestError('AGENT_AUTH', 'key-1 is wrong.'), (text) =>
    text.replace('key-1', '***'),
  )
  expect(told.message).toBe('*** is wrong.')
  const bug = new TypeError('no function')
  expect(() => browserUnavailable(bug, (text) => text)).toThrow(bug)
})
