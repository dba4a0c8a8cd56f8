import { CloudOff } from 'lucide-react'

export const Offline = () => (
  <>
    <CloudOff size={16} strokeWidth={1.7} aria-hidden="true" />
    Offline
  </>
)
