// In a file of its own, so that it is loaded after what it explains.
export { Tooltip as default } from '@mantine/core';
