/** Files and directories made from now on are for this user alone; processes that are started inherit it. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}
