import type { Command, Option } from 'commander'

/**
 * What may stand last on a command line: commands, options, or the choices of either's value. Empty where
 * nobody knows. `words` begin after the program's name, and the last may be incomplete.
 */
export function nextWords(program: Command, words: string[]): string[] {
  const { command, option, count } = read(program, words.slice(0, -1))
  if (option) return option.argChoices ?? []
  if (words.at(-1)?.startsWith('-')) return optionsOf(command).flatMap(({ long }) => long ?? [])
  const commands = command.createHelp().visibleCommands(command)
  if (commands.length > 0) return commands.map((one) => one.name())
  return command.registeredArguments[count]?.argChoices ?? []
}

/** Where some words lead: the command, the option that waits for its value, and how many arguments there are. */
type Place = { command: Command; option?: Option | undefined; count: number }

const read = (program: Command, words: string[]): Place =>
  words.reduce<Place>(step, { command: program, count: 0 })

function step({ command, option, count }: Place, word: string): Place {
  if (option) return { command, count }
  if (word.startsWith('-')) return { command, count, option: waiting(command, word) }
  const inner = command.commands.find((one) => one.name() === word)
  return inner ? { command: inner, count: 0 } : { command, count: count + 1 }
}

const waiting = (command: Command, word: string): Option | undefined =>
  optionsOf(command).find((option) => option.required && [option.short, option.long].includes(word))

function optionsOf(command: Command): Option[] {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
}
