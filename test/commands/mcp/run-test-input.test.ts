import { describe, expect, test } from 'vitest'
import { parseRunTestInput } from '../../../src/commands/mcp/run-test-input.ts'

const right = { runner: 'vitest', scope: 'all', timeout_ms: 60_000, no_output_timeout_ms: 100, max_output_bytes: 1024 }

describe('parseRunTestInput', () => {
  test('reads what is right', () => {
    expect(parseRunTestInput({ ...right, scope: 'file', target: 'a', report_dir: 'b' })).toEqual({
      runner: 'vitest',
      asked: { scope: 'file', target: 'a' },
      times: 1,
      limits: { timeoutMs: 60_000, noOutputTimeoutMs: 100, maxOutputBytes: 1024 },
      reportDir: 'b',
    })
  })

  test.for([
    [{ target: 'a' }, '`target` does not go with scope `all`'],
    [{ scope: 'file' }, 'scope `file` needs a `target`'],
    [{ scope: 'pattern' }, 'scope `pattern` needs a `target`'],
    [{ runner: 'make' }, '`runner` has to be one of `vitest`, `mdtest`'],
    [{ runner: '__proto__' }, '`runner` has to be one of'],
    [{ scope: 'some' }, '`scope` has to be one of `all`, `file`, `pattern`, `failed`, `changed`, not "some"'],
    [{ timeout_ms: 99 }, '`timeout_ms` has to be at least 100, not 99'],
    [{ timeout_ms: 3_600_001 }, '`timeout_ms` has to be at most 3600000'],
    [{ runner: undefined }, '`runner` is missing'],
    [{ max_output_bytes: 1023 }, '`max_output_bytes` has to be at least 1024'],
    [{ max_output_bytes: 1e9 }, '`max_output_bytes` has to be at most 1048576'],
    [{ max_output_bytes: 1024.5 }, '`max_output_bytes` has to be a whole number, not 1024.5'],
    [{ timeout_ms: '1000' }, '`timeout_ms` has to be a whole number, not "1000"'],
    [{ target: 3, scope: 'file' }, '`target` has to be a text, not 3'],
    [
      { command: 'rm' },
      'there is no field `command`; the fields are `runner`, `scope`, `target`, `repeat`, `timeout_ms`',
    ],
  ] as const)('says what is wrong with %j', ([change, message]) => {
    expect(() => parseRunTestInput({ ...right, ...change })).toThrow(message)
  })

  test('needs an object', () => {
    expect(() => parseRunTestInput('all')).toThrow('an object is needed, not "all"')
  })
})
