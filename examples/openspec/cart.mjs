#!/usr/bin/env node
// A shopping cart for the terminal: add, remove, list, total. It is stored in cart.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const file = 'cart.json'

/** An error that the user can fix, with its exit code. */
class CartError extends Error {
  constructor(exitCode, message) {
    super(message)
    this.exitCode = exitCode
  }
}

const commands = {
  add(cart, [name, price]) {
    if (name === undefined) throw new CartError(2, 'add needs a name and a price')
    const cents = readPrice(price)
    const known = cart.items.find((item) => item.name === name)
    if (known) known.count += 1
    else cart.items.push({ name, cents, count: 1 })
    save(cart)
    return `added ${name} at ${money(cents)}`
  },

  remove(cart, [name = '']) {
    const items = cart.items.filter((item) => item.name !== name)
    if (items.length === cart.items.length) throw new CartError(1, `there is no ${name} in the cart`)
    save({ ...cart, items })
    return `removed ${name}`
  },

  list({ items }) {
    const lines = items.map(({ name, cents, count }) => `${count} x ${name} ${money(count * cents)}`)
    return lines.join('\n') || 'the cart is empty'
  },

  total(cart) {
    return `total ${money(sumOf(cart))}`
  },
}

process.exitCode = main(process.argv.slice(2))

function main([command = '', ...operands]) {
  try {
    if (!Object.hasOwn(commands, command)) throw new CartError(2, `unknown command "${command}"`)
    console.log(commands[command](load(), operands))
    return 0
  } catch (error) {
    console.error(`cart: ${error.message}`)
    return error.exitCode ?? 1
  }
}

function load() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { items: [] }
}

function save(cart) {
  writeFileSync(file, `${JSON.stringify(cart, null, 2)}\n`)
}

function sumOf({ items }) {
  return items.reduce((sum, { cents, count }) => sum + cents * count, 0)
}

function readPrice(text = '') {
  if (!/^\d+(?:\.\d\d)?$/.test(text)) throw new CartError(2, `"${text}" is no price`)
  return Math.round(Number(text) * 100)
}

function money(cents) {
  return (cents / 100).toFixed(2)
}
