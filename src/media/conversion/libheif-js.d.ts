/** What is used of libheif-js, which comes without types for this way to load it. Objects with a `code` are errors. */
declare module 'libheif-js/wasm-bundle.js' {
  interface Failure {
    readonly code: unknown;
  }
  interface Context {
    readonly context: unique symbol;
  }
  interface Handle {
    readonly handle: unique symbol;
  }
  interface DecodedImage {
    readonly image: unknown;
    readonly channels: readonly {
      readonly id: unknown;
      readonly width: number;
      readonly height: number;
      /** Bytes from row to row. */
      readonly stride: number;
      /** In the library's own memory. */
      readonly data: Uint8Array;
    }[];
  }

  const libheif: {
    readonly heif_error_code: { readonly heif_error_Ok: unknown };
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: { readonly heif_chroma_interleaved_RGB: unknown; readonly heif_chroma_interleaved_RGBA: unknown };
    heif_context_alloc(): Context;
    heif_context_free(context: Context): void;
    heif_context_read_from_memory(context: Context, file: Uint8Array): Failure;
    heif_js_context_get_primary_image_handle(context: Context): Handle | Failure;
    heif_image_handle_get_width(handle: Handle): number;
    heif_image_handle_get_height(handle: Handle): number;
    heif_image_handle_has_alpha_channel(handle: Handle): number;
    heif_image_handle_release(handle: Handle): void;
    heif_js_decode_image2(handle: Handle, colorspace: unknown, chroma: unknown): DecodedImage | Failure;
    heif_image_release(image: unknown): void;
  };
  export default libheif;
}
