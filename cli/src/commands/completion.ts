import { Argument, type Command } from 'commander'
import { nextWords } from '../next-words.ts'
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
    .action((words: string[]) => print(nextWords(program, words).join('\n')))
}
