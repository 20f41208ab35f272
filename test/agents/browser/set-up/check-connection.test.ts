import { expect, test } from 'vitest'
import { checkConnection } from '../../../../src/agents/browser/set-up/check-connection.ts'
import { describeModelError } from '../../../../src/agents/browser/program/describe-model-error.ts'
import { MdtestError } from '../../../../src/system/mdtest-error.ts'
import { startModelServer, type ModelReply } from '../../../support/model-server.ts'

async function errorOf(reply: ModelReply): Promise<unknown> {
  await using server = await startModelServer(() => reply)
  const choice = { provider: 'openai', model: 'm', apiKey: 'k', url: `${server.url}/v1` } as const // a name
  return await checkConnection(choice).catch((error: unknown) => error)
}

test('what keeps a model from answering has a code that says what to do', async () => {
  expect(await errorOf({ kind: 'error', status: 404, message: 'no such model' })).toMatchObject({
    code: 'AGENT_MODEL_UNAVAILABLE',
    message: expect.stringMatching(/`m` of the provider `openai`.*no such model\. Check key, name of the model/),
  })
  expect(await errorOf({ kind: 'error', status: 200, message: '', body: '<html>' })).toMatchObject({
    message: expect.stringMatching(/is no answer of a model: .* It begins: <html>\. Check its address/),
  })
  expect(await errorOf({ kind: 'error', status: 401, message: 'bad key' })).toMatchObject({ code: 'AGENT_AUTH' })
  expect(await errorOf({ kind: 'error', status: 402, message: 'pay' })).toMatchObject({ code: 'AGENT_BUDGET' })
  expect(await errorOf({ kind: 'answer', text: 'OK' })).toBeUndefined()
})

test('a server that nobody reaches is told by its address', async () => {
  const choice = { provider: 'openai', model: 'm', apiKey: 'k', url: 'http://127.0.0.1:9/v1' } as const // a name
  await expect(checkConnection(choice)).rejects.toThrow(
    /There is no connection to http:\/\/127\.0\.0\.1:9\/v1\S*, or it broke: .* Check the address/,
  )
})

test('an error of the model, of the browser and of neither are told apart', async () => {
  const refused = await errorOf({ kind: 'error', status: 400, message: 'too long' })
  const inRun = refused instanceof MdtestError ? refused.cause : undefined
  expect(describeModelError(inRun)).toEqual({
    cause: 'model',
    message: 'The provider refuses the request (400): too long.',
    status: 400,
  })
  const died = new MdtestError('AGENT_BROWSER_UNAVAILABLE', 'The browser died.')
  expect(describeModelError(died)).toEqual({ cause: 'browser', message: 'The browser died.' })
  expect(describeModelError(new Error('no such file'))).toEqual({ cause: 'other', message: 'no such file.' })
})
