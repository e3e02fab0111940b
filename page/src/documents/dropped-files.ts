/** The files that were dropped, and those of dropped folders. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)]
  const all = await entriesOf((entry as FileSystemDirectoryEntry).createReader())
  return (await Promise.all(all.map(filesOf))).flat()
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader gives a folder's entries in parts, and an empty one at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
    reader.readEntries(resolve, reject),
  )
  return part.length === 0 ? [] : [...part, ...(await entriesOf(reader))]
}
