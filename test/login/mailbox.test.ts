import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { Mailbox } from '../../src/login/mailbox.ts'
import { listen } from '../support/listen.ts'
import { startMailDev } from '../support/start-maildev.ts'

const timeoutMs = 10_000

test('MailDev: the next mail to an address, once, with its links and codes', async () => {
  await using server = await startMailDev()
  const mailbox = new Mailbox(`${server.url}/`)
  const [to, other] = [mailbox.newAddress(), mailbox.newAddress()]
  expect(to).not.toBe(other)
  const waiting = mailbox.wait({ to, subject: 'sign IN', timeoutMs })
  await server.send({ to: other, subject: 'Sign in', text: 'Not this one: 111111.' })
  await server.send({ to, subject: 'News', text: 'Nothing.' })
  await server.send({
    to,
    subject: 'Sign in',
    text: 'Your code is 123456, of 2026-11-28; it costs 1200.50.\nhttp://127.0.0.1:3000/plain?c=999999',
    html: '<a href="http://127.0.0.1:3000/magic?t=1&amp;u=2">Sign in</a> <a href="javascript:x">no</a>',
  })
  expect(await waiting).toEqual({
    from: 'shop@example.test',
    subject: 'Sign in',
    text: expect.stringContaining('Your code is 123456'),
    links: ['http://127.0.0.1:3000/magic?t=1&u=2', 'http://127.0.0.1:3000/plain?c=999999'],
    codes: ['123456'],
  })
  expect(await mailbox.wait({ to, timeoutMs })).toMatchObject({ subject: 'News' })
  expect(await mailbox.wait({ to, timeoutMs: 1 })).toBeUndefined()
})

test('Mailpit: by its documented interface', async () => {
  const asked: string[] = []
  const now = new Date().toISOString()
  const answers: Readonly<Record<string, unknown>> = {
    '/api/v1/info': { Version: 'v1.27.0' },
    '/api/v1/search?query=to%3A%22a%40example.test%22': {
      messages: [
        { ID: 'old', Created: '2001-01-01T00:00:00Z', Subject: 'Old' },
        { ID: 'x1', Created: now, Subject: 'Code' },
      ],
    },
    '/api/v1/message/x1': {
      ID: 'x1',
      From: { Name: 'Shop', Address: 'shop@example.test' },
      Subject: 'Code',
      Text: '',
      HTML: '<style>b { top: 5000 }</style><p>Code: <b>4711</b> &lt;3</p>',
    },
  }
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const answer = answers[url]
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? null))
  })
  await using mailpit = await listen(server)
  const mailbox = new Mailbox(mailpit.url)
  expect(await mailbox.wait({ to: 'a@example.test', timeoutMs })).toEqual({
    from: 'shop@example.test',
    subject: 'Code',
    text: expect.stringMatching(/^Code:\s+4711\s+<3$/),
    links: [],
    codes: ['4711'],
  })
  expect(asked).toEqual(Object.keys(answers))
})
