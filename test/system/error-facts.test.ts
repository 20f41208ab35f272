import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { errorCode, messageOf } from '../../src/system/error-facts.ts'

const foreign: unknown = runInContext("Object.assign(new Error('far'), { code: 'EFAR' })", createContext())
const aborted: unknown = AbortSignal.abort().reason

describe('errorCode', () => {
  test.each([
    ['of the system', Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOENT'],
    ['of another realm', foreign, 'EFAR'],
    ['an exit code, which is no code of an error', Object.assign(new Error('x'), { code: 128 }), undefined],
    ['no code', new Error('x'), undefined],
    ['no error', { code: 'ENOENT' }, undefined],
    ['null', null, undefined],
  ])('%s', (_, error, code) => {
    expect(errorCode(error)).toBe(code)
  })
})

describe('messageOf', () => {
  test.each([
    ['an error', new Error('near'), 'near'],
    ['of another realm', foreign, 'far'],
    ['an abort, which is no native error', aborted, 'This operation was aborted'],
    ['a text', 'just so', 'just so'],
    ['nothing', undefined, 'undefined'],
  ])('%s', (_, error, message) => {
    expect(messageOf(error)).toBe(message)
  })
})
