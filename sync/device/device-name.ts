/** The database that all users of a computer share. Its presence says that somebody signed in here. */
export const DEVICE_DATABASE = 'contun-device'
