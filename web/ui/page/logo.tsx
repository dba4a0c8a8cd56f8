/** The product's mark: a crescent that opens like a C, under a macron. Takes the text colour. */
export function LogoMark() {
  return (
    <svg width="32" height="32" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <path d="M22.3 9 A11.4 11.4 0 1 0 26.3 23 A9.1 9.1 0 1 1 22.3 9 Z" />
      <rect x="10.3" y="2" width="11.4" height="2.2" rx="0.4" />
    </svg>
  )
}

/** The agency's mark: the face of an owl. */
export function OwlMark() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 17 17"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M1.5 3.2 C4 4.6 6 5.2 8.5 6.6 C11 5.2 13 4.6 15.5 3.2" />
      <circle cx="4.9" cy="9" r="3.4" />
      <circle cx="12.1" cy="9" r="3.4" />
      <path d="M4.9 9 h0.01 M12.1 9 h0.01" strokeWidth="2" />
      <path d="M7.7 11.6 L8.5 13 L9.3 11.6" />
    </svg>
  )
}
