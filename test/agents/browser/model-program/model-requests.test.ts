import { expect, test } from 'vitest'
import { describeModelError } from '../../../../src/agents/browser/model-program/model-requests.ts'
import { MdtestError } from '../../../../src/system/mdtest-error.ts'

test('an error of the browser and one of neither model nor browser are told apart', () => {
  const died = new MdtestError('AGENT_BROWSER_UNAVAILABLE', 'The browser died.')
  expect(describeModelError(died)).toMatchObject({ cause: 'browser', message: 'The browser died.' })
  expect(describeModelError(new Error('no such file'))).toMatchObject({ cause: 'other', message: 'no such file.' })
})
