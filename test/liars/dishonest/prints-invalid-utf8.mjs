export default {
  does: 'Prints events that are no UTF-8, then writes a passing log.',
  as: 'claude',
  act({ open, writeLog }) {
    open()
    const event = '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"\xff","name":"Bash\xc3"'
    process.stdout.write(Buffer.from(`${event}\n\xff\xfe\n`, 'latin1'))
    writeLog({ status: 'pass' })
  },
}
