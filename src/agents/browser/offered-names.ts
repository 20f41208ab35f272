/**
 * Names of Playwright's tools that agents get. Never `browser_run_code_unsafe` (code in the server's process),
 * `browser_evaluate` (prints whatever the model likes) or `browser_close`.
 */
export const offeredNames: readonly string[] =
  `browser_navigate browser_navigate_back browser_snapshot browser_find browser_click browser_type browser_fill_form
  browser_select_option browser_press_key browser_hover browser_drag browser_handle_dialog browser_wait_for
  browser_take_screenshot browser_console_messages browser_network_requests browser_tabs browser_file_upload
  browser_verify_text_visible browser_verify_element_visible browser_verify_value browser_verify_list_visible`.split(
    /\s+/,
  )
