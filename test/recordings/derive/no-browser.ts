/** For derivations without calls of a browser. */
export const noBrowser = { baseUrl: undefined, variableWith: () => undefined, isSecret: () => false }
