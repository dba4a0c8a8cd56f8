import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import {
  BrowserRouter,
  matchPath,
  type RouteObject,
  useLocation,
  useRoutes,
} from 'react-router-dom'
import { Guard } from '../layout/guard.tsx'
import { Landing } from '../layout/landing.tsx'
import { PageFaultBoundary } from '../layout/page-fault.tsx'
import { PlainLayout } from '../layout/plain-layout.tsx'
import { Root } from '../layout/root.tsx'
import { NotFoundScreen } from '../screens/not-found.tsx'
import { LoadingRing } from '../ui/page/loading-ring.tsx'
import { once } from './once.ts'
import { paths } from './paths.ts'

/** A layout or screen in a chunk of its own. `fetch` may run before it is first shown. */
type Part = {
  fetch: () => Promise<unknown>
  loaded: () => ComponentType | null
  Later: ComponentType
}

function part(load: () => Promise<ComponentType>): Part {
  let loaded: ComponentType | null = null
  const fetch = once(async () => {
    loaded = await load()
    return loaded
  })
  return { fetch, loaded: () => loaded, Later: lazy(async () => ({ default: await fetch() })) }
}

/**
 * What is here already is shown without Suspense, which would keep its fallback for 300 ms at least. For one part only:
 * another in the same place needs a key of its own.
 */
function Shown({ part }: { part: Part }) {
  const [Component] = useState(() => part.loaded() ?? part.Later)
  return <Component />
}

const guestLayout = part(async () => (await import('../layout/guest-layout.tsx')).GuestLayout)
const clientArea = part(async () => (await import('../layout/client-area.tsx')).ClientArea)
const adminArea = part(async () => (await import('../layout/admin-area.tsx')).AdminArea)

type Screen = { id?: string; path: string; screen: Part }

const guestHome: Screen = {
  path: paths.guestHome,
  screen: part(async () => (await import('../screens/guest/guest-home.tsx')).GuestHomeScreen),
}
/** For users with a session too. */
const stopMails: Screen = {
  path: paths.stopMails,
  screen: part(async () => (await import('../screens/guest/stop-mails.tsx')).StopMailsScreen),
}
const guestScreens: Screen[] = [
  {
    path: paths.login,
    screen: part(async () => (await import('../screens/guest/login.tsx')).LoginScreen),
  },
  {
    path: paths.register,
    screen: part(async () => (await import('../screens/guest/register.tsx')).RegisterScreen),
  },
  {
    path: paths.forgotPassword,
    screen: part(
      async () => (await import('../screens/guest/forgot-password.tsx')).ForgotPasswordScreen,
    ),
  },
  {
    path: paths.resetPassword,
    screen: part(
      async () => (await import('../screens/guest/reset-password.tsx')).ResetPasswordScreen,
    ),
  },
  {
    path: paths.welcome,
    screen: part(async () => (await import('../screens/guest/welcome.tsx')).WelcomeScreen),
  },
]
const clientScreens: Screen[] = [
  {
    path: paths.clientHome,
    screen: part(async () => (await import('../screens/client/client-home.tsx')).ClientHomeScreen),
  },
  {
    id: 'article',
    path: paths.article,
    screen: part(async () => (await import('../screens/article/article-screen.tsx')).ArticleScreen),
  },
  {
    path: paths.profile,
    screen: part(async () => (await import('../screens/client/profile.tsx')).ProfileScreen),
  },
]
/** Leads from the former address to the new one. */
const undeliveredTexts = part(
  async () =>
    (await import('../screens/admin/undelivered-texts/undelivered-texts-screen.tsx'))
      .UndeliveredTextsScreen,
)
const adminScreens: Screen[] = [
  {
    path: paths.adminHome,
    screen: part(
      async () => (await import('../screens/admin/home/admin-home.tsx')).AdminHomeScreen,
    ),
  },
  {
    path: paths.adminArticles,
    screen: part(
      async () => (await import('../screens/admin/articles/articles-screen.tsx')).ArticlesScreen,
    ),
  },
  {
    path: paths.adminBatch,
    screen: part(async () => (await import('../screens/admin/batch/batch-screen.tsx')).BatchScreen),
  },
  {
    path: paths.adminProgress,
    screen: part(
      async () => (await import('../screens/admin/progress/progress-screen.tsx')).ProgressScreen,
    ),
  },
  {
    path: paths.adminUsers,
    screen: part(async () => (await import('../screens/admin/users/users-screen.tsx')).UsersScreen),
  },
  {
    path: paths.adminClients,
    screen: part(
      async () => (await import('../screens/admin/clients/clients-screen.tsx')).ClientsScreen,
    ),
  },
  {
    path: paths.adminMonthSheet,
    screen: part(
      async () =>
        (await import('../screens/admin/month-sheet/month-sheet-screen.tsx')).MonthSheetScreen,
    ),
  },
  {
    path: paths.adminLog,
    screen: part(async () => (await import('../screens/admin/log/log-screen.tsx')).LogScreen),
  },
  ...[paths.adminUndeliveredTexts, paths.adminTexts].map((path) => ({
    path,
    screen: undeliveredTexts,
  })),
]

const areas = [
  { layout: guestLayout, screens: [guestHome, stopMails, ...guestScreens] },
  { layout: clientArea, screens: clientScreens },
  { layout: adminArea, screens: adminScreens },
]

const partsOf = (pathname: string): Part[] =>
  areas.flatMap(({ layout, screens }) => {
    const found = screens.find(({ path }) => matchPath(path, pathname))
    return found ? [layout, found.screen] : []
  })

/**
 * Asks for the layout and the screen of an address side by side; shown one after the other, they would come so.
 * Resolves when they are here, or cannot be had just now.
 */
export async function fetchParts(pathname: string): Promise<void> {
  await Promise.allSettled(partsOf(pathname).map(({ fetch }) => fetch()))
}

/** The first page is drawn when all of it is here. */
function useFirstParts(): boolean {
  const [areHere, setAreHere] = useState(() =>
    partsOf(location.pathname).every(({ loaded }) => loaded() !== null),
  )
  useEffect(() => {
    if (!areHere) void fetchParts(location.pathname).then(() => setAreHere(true))
  }, [areHere])
  return areHere
}

export function Screens() {
  if (!useFirstParts()) return <LoadingRing />
  return (
    // In a transition the page before would stay, without a sign of waiting, until the next one is fetched.
    <BrowserRouter useTransitions={false}>
      <PageFaultBoundary>
        <Suspense fallback={<LoadingRing />}>
          <ScreenRoutes />
        </Suspense>
      </PageFaultBoundary>
    </BrowserRouter>
  )
}

function ScreenRoutes() {
  void fetchParts(useLocation().pathname)
  return useRoutes(routes)
}

const shownAt = ({ id, path, screen }: Screen): RouteObject => ({
  ...(id && { id }),
  path,
  element: <Shown key={path} part={screen} />,
})

export const routes: RouteObject[] = [
  {
    element: <Root />,
    children: [
      { path: paths.landing, element: <Landing /> },
      {
        element: <Shown key="guestLayout" part={guestLayout} />,
        children: [
          shownAt(guestHome),
          shownAt(stopMails),
          { element: <Guard access="guest" />, children: guestScreens.map(shownAt) },
        ],
      },
      {
        element: <Guard access="signed-in" />,
        children: [
          {
            element: <Shown key="clientArea" part={clientArea} />,
            children: clientScreens.map(shownAt),
          },
        ],
      },
      {
        element: <Guard access="admin" />,
        children: [
          {
            element: <Shown key="adminArea" part={adminArea} />,
            children: adminScreens.map(shownAt),
          },
        ],
      },
      { element: <PlainLayout />, children: [{ path: '*', element: <NotFoundScreen /> }] },
    ],
  },
]
