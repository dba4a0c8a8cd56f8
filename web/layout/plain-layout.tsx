import { Outlet } from 'react-router-dom'
import { Frame, ScreenPlace } from './frame.tsx'

export function PlainLayout() {
  return (
    <Frame>
      <ScreenPlace>
        <Outlet />
      </ScreenPlace>
    </Frame>
  )
}
