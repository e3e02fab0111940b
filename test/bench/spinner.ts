/** Takes all the time it is given until the process that is named, which started it, is gone. */
const parent = Number(process.argv[2])
process.stdout.write('spinning')
while (process.ppid === parent);
