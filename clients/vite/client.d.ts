interface ImportMetaEnv {
  /** The release of this build; undefined where it has none, and while developing. */
  readonly FOOTFALL_RELEASE?: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
