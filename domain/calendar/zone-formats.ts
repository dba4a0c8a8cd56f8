/** Formats of the same options, one for each time zone. Each is kept: making one takes as long as writing a hundred dates. */
export function zoneFormats(
  options: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}
