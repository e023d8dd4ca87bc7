import { Center, Loader } from '@mantine/core';

/** Stands in for a page while it is loaded. */
export function PageLoading() {
  return (
    <Center mih="60vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
