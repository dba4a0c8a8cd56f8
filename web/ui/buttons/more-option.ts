/** The last line of a picker's list where more were found than it shows. */
export const MORE = { value: 'more', label: 'Type a part of the name to find more', disabled: true }
