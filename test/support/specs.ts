/** A spec of two steps that mdtest runs alone: both pass. */
export const passingSpec = `---
agent: none
---

# Greeting

## Says hello

\`\`\`console
$ echo hello
hello
\`\`\`

## Remembers

\`\`\`sh
name=world
\`\`\`

\`\`\`console
$ echo "hello $name"
hello world
\`\`\`
`

/** The second of three steps fails, at line 15. */
export const failingSpec = `---
agent: none
---

# Greeting

## Says hello

\`\`\`sh
true
\`\`\`

## Says something else

\`\`\`console
$ echo hello
goodbye
\`\`\`

## Comes after

\`\`\`sh
true
\`\`\`
`
