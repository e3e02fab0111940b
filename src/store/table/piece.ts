export type Piece = PromiseWithResolvers<void> & { work: () => Promise<void>; hasBegun: boolean }

export async function carryOut(piece: Piece): Promise<void> {
  piece.hasBegun = true
  const done = piece.work()
  done.then(piece.resolve, piece.reject)
  await done
}
