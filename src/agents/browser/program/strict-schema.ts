type Schema = Readonly<Record<string, unknown>>

/**
 * A JSON schema as Azure wants those of tools: each property is required, all the way down, and one that was not may be
 * `null`. `withoutNulls` takes such values out again.
 */
export function strictSchema(schema: Schema): Schema {
  const { properties, items, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(isSchema(items) && { items: strictSchema(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((each: unknown) => (isSchema(each) ? strictSchema(each) : each)) }),
    ...((isSchema(properties) || rest.type === 'object') && {
      properties: strictProperties(isSchema(properties) ? properties : {}, requiredIn(schema)),
      required: isSchema(properties) ? Object.keys(properties) : [],
      additionalProperties: false,
    }),
  }
}

/** What a model gives for a strict schema, without the properties that it left open. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isSchema(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])),
  )
}

function strictProperties(properties: Schema, required: readonly unknown[]): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const strict = isSchema(property) ? strictSchema(property) : {}
      return [name, required.includes(name) ? strict : { anyOf: [strict, { type: 'null' }] }]
    }),
  )
}

function requiredIn({ required }: Schema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
