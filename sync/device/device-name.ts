/** The database that all users of a device share. It exists once a user has signed in here. */
export const DEVICE_DATABASE = 'contun-device'
