// Prints a greeting for a name: `node greet.mjs Ada`.
const [name] = process.argv.slice(2)
if (name === undefined) {
  console.error('usage: greet NAME')
  process.exitCode = 2
} else console.log(`Hello, ${name}!`)
