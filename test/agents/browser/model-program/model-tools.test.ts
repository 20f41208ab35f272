import { expect, test } from 'vitest'
import { strictSchema, withoutNulls } from '../../../../src/agents/browser/model-program/model-tools.ts'

test('requires each property, all the way down, and lets those be null that were optional', () => {
  const schema = {
    type: 'object',
    properties: {
      target: { type: 'string' },
      button: { enum: ['right', 'middle'], type: 'string' },
      fields: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' }, value: {} }, required: ['name'] },
      },
    },
    required: ['fields'],
  }
  expect(strictSchema(schema)).toEqual({
    type: 'object',
    properties: {
      target: { type: ['string', 'null'] },
      button: { anyOf: [{ enum: ['right', 'middle'], type: 'string' }, { type: 'null' }] },
      fields: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, value: { anyOf: [{}, { type: 'null' }] } },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
    },
    required: ['target', 'button', 'fields'],
    additionalProperties: false,
  })
  expect(strictSchema({ type: 'object' })).toEqual({
    type: 'object',
    properties: {},
    required: [],
    additionalProperties: false,
  })
})

test('takes out what a model left open', () => {
  const input = { target: null, fields: [{ name: 'a', value: null }], text: '' }
  expect(withoutNulls(input)).toEqual({ fields: [{ name: 'a' }], text: '' })
})
