// Before anything else, in what every Node.js reads: older ones would end in a stack.
const [major] = process.versions.node.split('.')
if (Number(major) < 24) {
  console.error(
    `Node.js 24 or later is needed, and this is ${process.versions.node}. "npm ci" brings it, where install scripts are allowed to run.`,
  )
  process.exit(1)
}
