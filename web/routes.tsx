import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { Guard } from './layout/guard.tsx'
import { Landing } from './layout/landing.tsx'
import { PageFault } from './layout/page-fault.tsx'
import { PlainLayout } from './layout/plain-layout.tsx'
import { Root } from './layout/root.tsx'
import { paths } from './paths.ts'
import { NotFoundScreen } from './screens/not-found.tsx'
import { LoadingRing } from './ui/loading-ring.tsx'

const guestScreens: RouteObject = {
  lazy: {
    Component: async () => (await import('./layout/guest-layout.tsx')).GuestLayout,
  },
  children: [
    {
      path: paths.guestHome,
      lazy: {
        Component: async () => (await import('./screens/guest/guest-home.tsx')).GuestHomeScreen,
      },
    },
    {
      element: <Guard access="guest" />,
      children: [
        {
          path: paths.login,
          lazy: { Component: async () => (await import('./screens/guest/login.tsx')).LoginScreen },
        },
        {
          path: paths.register,
          lazy: {
            Component: async () => (await import('./screens/guest/register.tsx')).RegisterScreen,
          },
        },
        {
          path: paths.forgotPassword,
          lazy: {
            Component: async () =>
              (await import('./screens/guest/forgot-password.tsx')).ForgotPasswordScreen,
          },
        },
        {
          path: paths.resetPassword,
          lazy: {
            Component: async () =>
              (await import('./screens/guest/reset-password.tsx')).ResetPasswordScreen,
          },
        },
      ],
    },
  ],
}

const clientScreens: RouteObject = {
  element: <Guard access="signed-in" />,
  children: [
    {
      lazy: { Component: async () => (await import('./layout/client-area.tsx')).ClientArea },
      children: [
        {
          path: paths.clientHome,
          lazy: {
            Component: async () =>
              (await import('./screens/client/client-home.tsx')).ClientHomeScreen,
          },
        },
        {
          id: 'article',
          path: paths.article,
          lazy: {
            Component: async () =>
              (await import('./screens/article/article-screen.tsx')).ArticleScreen,
          },
        },
        {
          path: paths.profile,
          lazy: {
            Component: async () => (await import('./screens/client/profile.tsx')).ProfileScreen,
          },
        },
      ],
    },
  ],
}

const adminScreens: RouteObject = {
  element: <Guard access="admin" />,
  children: [
    {
      lazy: { Component: async () => (await import('./layout/admin-area.tsx')).AdminArea },
      children: [
        {
          path: paths.adminHome,
          lazy: {
            Component: async () => (await import('./screens/admin/admin-home.tsx')).AdminHomeScreen,
          },
        },
        {
          path: paths.adminArticles,
          lazy: {
            Component: async () =>
              (await import('./screens/admin/articles/articles-screen.tsx')).ArticlesScreen,
          },
        },
        {
          path: paths.adminUsers,
          lazy: {
            Component: async () =>
              (await import('./screens/admin/users/users-screen.tsx')).UsersScreen,
          },
        },
        {
          path: paths.adminClients,
          lazy: {
            Component: async () =>
              (await import('./screens/admin/clients/clients-screen.tsx')).ClientsScreen,
          },
        },
        {
          path: paths.adminStrays,
          lazy: {
            Component: async () =>
              (await import('./screens/admin/strays/strays-screen.tsx')).StraysScreen,
          },
        },
      ],
    },
  ],
}

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <PageFault />,
    // The parts of the first page are on their way.
    HydrateFallback: LoadingRing,
    children: [
      { path: paths.landing, element: <Landing /> },
      guestScreens,
      clientScreens,
      adminScreens,
      { element: <PlainLayout />, children: [{ path: '*', element: <NotFoundScreen /> }] },
    ],
  },
]

/** `onLeave` runs when the path changes, before the next screen appears. */
export function createRouter(onLeave: () => void): ReturnType<typeof createBrowserRouter> {
  const router = createBrowserRouter(routes)
  let shown = router.state.location.pathname
  router.subscribe(({ location }) => {
    if (location.pathname === shown) return
    shown = location.pathname
    onLeave()
  })
  return router
}
