/** How somebody who reads a message calls us from a project that has the package. */
export const ownCommand = 'npx vitest-mdtest'
