// In a file of its own, so that it is loaded apart from what reports to it.
export { Notifications as default } from '@mantine/notifications';
