"""What is said of files that cannot be read or written, and why the system refuses."""

# key: (English, Chinese)
FILES: dict[str, tuple[str, str]] = {
    "cannot_open": ("cannot be read: {reason}", "无法读取：{reason}"),
    "folder_missing": ("there is no folder {folder}; make it first", "没有文件夹 {folder}；请先建立"),
    "cannot_write": ("cannot be written: {reason}", "无法写入：{reason}"),
    "system.missing": ("No such file or directory", "没有这个文件"),
    "system.folder": ("it is a folder", "这是文件夹"),
    "system.forbidden": ("Permission denied", "没有权限"),
    "system.full": ("No space left on device", "设备上没有空间"),
    "system.long_name": ("File name too long", "名称太长"),
}
