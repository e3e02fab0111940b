/** The values of a name that is given more than once. A list, which no schema takes. */
export class Repeated extends Array<unknown> {}

/** Adds a value to those of a query or a form. */
export function addValue(values: Record<string, unknown>, name: string, value: unknown): void {
  values[name] = name in values ? Repeated.of(values[name], value) : value
}
