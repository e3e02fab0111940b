import { Argument, type Command, type Option } from 'commander'
import { print } from '../output/print.ts'

const scripts = {
  bash: `_agents_datastores() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _agents_datastores agents-datastores`,
  zsh: `_agents_datastores() {
  local -a found
  found=(\${(f)"$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
compdef _agents_datastores agents-datastores`,
}

const help = `
Where nothing else may come, the shell completes the names of files.

Examples:
  $ source <(agents-datastores completion bash)
  $ agents-datastores completion zsh >> ~/.zshrc`

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script by which a shell completes commands and options')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: keyof typeof scripts) => print(scripts[shell]))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => print(completionsOf(program, words).join('\n')))
}

/**
 * The completions of the last word: commands, options, or the choices of a value. Empty if the shell should
 * complete file names. `words` begin after the program's name.
 */
function completionsOf(program: Command, words: string[]): string[] {
  const { command, option, count } = read(program, words.slice(0, -1))
  if (option) return option.argChoices ?? []
  if (words.at(-1)?.startsWith('-')) return optionsOf(command).flatMap(({ long }) => long ?? [])
  const commands = command.createHelp().visibleCommands(command)
  if (commands.length > 0) return commands.map((one) => one.name())
  return command.registeredArguments[count]?.argChoices ?? []
}

/** The command that some words name, the option that waits for its value, and the number of arguments. */
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
  const commandHelp = command.createHelp()
  return [...commandHelp.visibleOptions(command), ...commandHelp.visibleGlobalOptions(command)]
}
